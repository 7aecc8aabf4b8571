"""Pages for everybody as the server writes them: whole without scripts. The interface then shows the same."""
