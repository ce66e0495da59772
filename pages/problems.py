if __name__ == "__main__":
    from ui.problems import problems

    problems()
