import { createCipheriv, createHash } from 'node:crypto'

/** Returns bytes that do not repeat: the same for the same seed. */
export function noise(bytes: number, seed: string): Buffer {
  const key = createHash('sha256').update(seed).digest()
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  return cipher.update(Buffer.alloc(bytes))
}
