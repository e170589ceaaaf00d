"""What the stacks are wired from: each construct owns one capability. They know each other only through arguments."""
