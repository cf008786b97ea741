import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { standIn } from './stand-in.ts'

/** Of the whole system, as a keychain is: what one start has encrypted, the next one can read. */
const KEY = Buffer.alloc(32, 'electron-double')
const IV_BYTES = 16

/** The system's encryption of stored secrets. */
export const safeStorage = standIn('safeStorage', {
  isAsyncEncryptionAvailable: async () => true,
  getSelectedStorageBackend: () => 'gnome_libsecret',
  async encryptStringAsync(text: string) {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-cbc', KEY, iv)
    return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final()])
  },
  async decryptStringAsync(encrypted: Buffer) {
    const iv = encrypted.subarray(0, IV_BYTES)
    const decipher = createDecipheriv('aes-256-cbc', KEY, iv)
    const text = Buffer.concat([decipher.update(encrypted.subarray(IV_BYTES)), decipher.final()])
    return { shouldReEncrypt: false, result: text.toString('utf8') }
  },
})
