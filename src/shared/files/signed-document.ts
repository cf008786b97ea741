import { z } from 'zod'
import { type RefusalOf, type Refusals, refusal } from '../refusal-kind.ts'
import { DocumentUpdater, SignedUpdater } from './updater.ts'

/** Most documents of a release. */
const MAX_DOCUMENTS = 8
/** Most bytes of all documents of a release. */
const MAX_BYTES = 262_144
/** Most bytes of a list of packages that is kept: it has all that was built so far, and every release one of its own. */
export const MAX_LIST_BYTES = 65_536

const NAME_RULE = 'must be a file name of letters, digits, dots, hyphens and underscores'

/**
 * A document for an updater, served byte for byte: one that its publisher signed, because the signature covers what it says, or
 * the list of packages of Squirrel.Windows or Velopack, which carries none.
 */
export const SignedDocument = z
  .strictObject({
    updater: DocumentUpdater.meta({
      description:
        'Whose document it is: a signed manifest of electron-builder, a signed appcast of Sparkle, `RELEASES` of Squirrel.Windows, or `releases.*.json` of Velopack',
    }),
    name: z
      .string()
      .regex(/^[A-Za-z0-9][\w.-]{0,127}$/, NAME_RULE)
      .meta({ description: 'Name of its file', examples: ['latest-mac.yml'] }),
    content: z
      .string()
      .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64')
      .refine((text) => text.length % 4 === 0, 'must be base64')
      .max(base64Length(MAX_BYTES), `must be at most ${MAX_BYTES / 1024} KiB`)
      .meta({ description: 'Its bytes, in base64' }),
    checked: z.boolean().default(false).meta({
      description:
        'Whether the signature was verified with a key of the app; always `false` for lists of packages, which carry none. When you publish: `true` to refuse a signature that cannot be verified, because the app has no key',
    }),
  })
  .meta({ id: 'SignedDocument' })
export type SignedDocument = z.infer<typeof SignedDocument>

/** The documents of a release that is published or put together. */
export const SignedDocuments = z
  .array(SignedDocument)
  .max(MAX_DOCUMENTS, `must hold at most ${MAX_DOCUMENTS} documents`)
  .refine(
    (documents) =>
      documents.reduce((total, { content }) => total + content.length, 0) <=
      base64Length(MAX_BYTES),
    `must be at most ${MAX_BYTES / 1024} KiB together`,
  )

/** Most keys for documents that an app has. */
export const MAX_DOCUMENT_KEYS = 16

const KEY_RULE =
  'must be electron: or sparkle: and an Ed25519 public key, as electron-builder or generate_keys of Sparkle prints it'
/** Base64 of what precedes the 32 bytes of an Ed25519 key in its SubjectPublicKeyInfo (RFC 8410). */
export const SPKI_PREFIX = 'MCowBQYDK2VwAyEA'
const KEY = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/

/**
 * A public key that the documents of an app are signed with, as it is kept: the updater, and base64 of 32 bytes. Takes the
 * PEM and the base64 of electron-builder, and what Sparkle has as `SUPublicEDKey`.
 */
export const DocumentKey = z.string().check((context) => {
  const [, updater, text = ''] = /^(\w+):(.*)$/s.exec(context.value.trim()) ?? []
  const plain = text.replaceAll(/-----[^-]*-----|\s/g, '')
  const key = plain.startsWith(SPKI_PREFIX) ? plain.slice(SPKI_PREFIX.length) : plain
  if (SignedUpdater.safeParse(updater).success && KEY.test(key)) {
    context.value = `${updater}:${key}`
  } else context.issues.push({ code: 'custom', input: context.value, message: KEY_RULE })
})

function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4
}

/** Returns whether a document carries a signature. */
export function isSigned({ updater }: Pick<SignedDocument, 'updater'>): boolean {
  return SignedUpdater.safeParse(updater).success
}

/** In which release, and which of its documents. */
const document = { path: z.array(z.string()), name: z.string() }

/** The refusals about signed documents. */
export const DOCUMENT_REFUSALS = {
  invalid: [
    /** Its updater would refuse it. */
    refusal('document_unreadable', { ...document, updater: DocumentUpdater }),
    refusal('document_version', { ...document, found: z.string(), version: z.string() }),
    /** The release has no such file. */
    refusal('document_file', { ...document, file: z.string() }),
    /** Another release of the channel has another file of the name, and devices would find that. */
    refusal('document_file_taken', { ...document, file: z.string(), version: z.string() }),
    /** Another document of the release is for the same devices. */
    refusal('document_repeated', { ...document, first: z.string() }),
    /** No key of the app made the signature. */
    refusal('document_signature', { ...document, app: z.string() }),
    /** The signature had to be verified, and the app has no key for it. */
    refusal('document_unchecked', { ...document, app: z.string(), updater: DocumentUpdater }),
  ],
} as const satisfies Refusals
export type DocumentRefusal = RefusalOf<typeof DOCUMENT_REFUSALS>
