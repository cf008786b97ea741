import { hash, randomBytes } from 'node:crypto'

/** Recovery codes of an account. */
const CODES = 10
/** Bytes of a code: too many to be tried out, even by who has the hashes. */
const CODE_BYTES = 10
const GROUP = 4
/** Without letters and digits that look alike (Crockford's Base32). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Returns new recovery codes, such as `4k2p-9x7m-tq3h-w8vd`. */
export function drawRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const bits = Array.from(randomBytes(CODE_BYTES), (byte) => byte.toString(2).padStart(8, '0'))
    const letters = bits.join('').match(/.{5}/g) ?? []
    const code = letters.map((letter) => ALPHABET.charAt(Number.parseInt(letter, 2))).join('')
    return (code.match(new RegExp(`.{${GROUP}}`, 'g')) ?? []).join('-')
  })
}

/** What is stored of a recovery code, however it was typed: SHA-256 in hex, different for every account. */
export function recoveryCodeHash(accountId: string, code: string): string {
  const typed = code
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[^0-9a-z]/g, '')
  const plain = typed.replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return hash('sha256', `${accountId} ${plain}`, 'hex')
}
