"""Deploys the voice and the agent to AWS: typed options, CDK stacks, images, and the toolkit that carries them out.

`deployment` says what is wanted, `speech` and `agent` turn it into stacks out of `constructs`, `images` lays out what
a container is built from, and `toolkit` alone runs the CDK and talks to AWS. Above: the two command lines. It knows
nothing of how speech is made; what it needs of weights it asks of `kokoro.assets`.
"""

from firstword.infra.node import use_packaged_node

# The CDK's kernel starts with the first `import aws_cdk`, so its Node is settled before any module here runs.
use_packaged_node()
