import { safeStorage } from 'electron'

/** Encrypts what is stored, so that only this account on this computer can read it. */
export interface Vault {
  /** Whether it encrypts with a secret of the system. May have the system ask the person for permission. */
  isAvailable(): Promise<boolean>
  /** Returns base64. */
  encrypt(text: string): Promise<string>
  /** Rejects for what another account, computer or key has encrypted. */
  decrypt(encrypted: string): Promise<string>
}

/** The system's own: Keychain, DPAPI, or the secret service of a Linux desktop. */
export const systemVault: Vault = {
  async isAvailable() {
    // Without a secret service, Electron encrypts with a password that everybody can look up.
    const isOpen =
      process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text'
    return !isOpen && (await safeStorage.isAsyncEncryptionAvailable())
  },
  async encrypt(text) {
    return (await safeStorage.encryptStringAsync(text)).toString('base64')
  },
  async decrypt(encrypted) {
    return (await safeStorage.decryptStringAsync(Buffer.from(encrypted, 'base64'))).result
  },
}
