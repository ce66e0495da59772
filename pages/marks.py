if __name__ == "__main__":
    from ui.marks import marks

    marks()
