"""An AWS account on a loopback port: moto, with the pieces that it lacks and that a deployment needs filled in.

`cloud` is the account, `missing` teaches moto's CloudFormation the types it skips, `answers` answers the calls moto
has no answer for and lets a test script what an endpoint says of itself.
"""

from fakes.aws_cloud.account import ACCOUNT, AwsCloud, Call, aws_cloud

__all__ = ["ACCOUNT", "AwsCloud", "Call", "aws_cloud"]
