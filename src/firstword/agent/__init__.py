"""The voice agent: a Strands agent whose answer is spoken while it is still being written, as AgentCore runs it.

request        payload -> what is asked for
conversations  one Strands agent per conversation, bounded
reply          the model's answer, as it comes
modes          bidi, batch, whole: when what is spoken
answer         one request from `agent_start` to its one end; barge-in
doors          SSE (`/invocations`) and `/ws`, on a `BedrockAgentCoreApp`
"""
