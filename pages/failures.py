if __name__ == "__main__":
    from ui.failures import failures

    failures()
