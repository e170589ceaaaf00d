"""The browser's side: a gateway that serves the page, holds the credentials and relays to the agent."""
