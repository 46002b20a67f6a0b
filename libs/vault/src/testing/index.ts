export { MemoryVault } from './memory-vault';
