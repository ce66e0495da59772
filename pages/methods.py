if __name__ == "__main__":
    from ui.methods import methods

    methods()
