export { addressOfHost, refusedRange } from './address-rules';
export { openedBy } from './allowed-hosts';
export { MAX_BODY_BYTES, OutboundHttp, type OutboundAnswer, type OutboundRequest } from './outbound-http';
export { OutboundTcp, type OutboundMessage } from './outbound-tcp';
export { OutboundError, type OutboundCode } from './outbound-error';
export { Resolver, SystemResolver, type ResolvedAddress } from './resolver';
export { METHODS, type Method } from './send-once';
