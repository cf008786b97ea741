/** Apart from `open-storage.ts`, because the thread that counts previews loads nothing else of the storage. */
export { readScan } from './fleet/database/device-scan.ts'
