export { eventStoreContract, type OpenStore, type StoreUnderTest } from './event-store.conformance';
export { ForgetfulPayloads } from './forgetful-payloads';
