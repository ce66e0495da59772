if __name__ == "__main__":
    from ui.courses import courses

    courses()
