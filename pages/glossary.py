if __name__ == "__main__":
    from ui.glossary import glossary

    glossary()
