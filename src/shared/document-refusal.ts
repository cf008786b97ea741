import { z } from 'zod'
import type { RefusalKind } from './refusal-kind.ts'
import { DocumentUpdater } from './signed-document.ts'

/** In which release, and which of its documents. */
const document = { path: z.array(z.string()), name: z.string() }

/** The refusals about signed documents. */
export const DOCUMENT_REFUSALS = [
  /** Its updater would refuse it. */
  z.strictObject({
    code: z.literal('document_unreadable'),
    ...document,
    updater: DocumentUpdater,
  }),
  z.strictObject({
    code: z.literal('document_version'),
    ...document,
    found: z.string(),
    version: z.string(),
  }),
  /** The release has no such file. */
  z.strictObject({ code: z.literal('document_file'), ...document, file: z.string() }),
  /** Another release of the channel has another file of the name, and devices would find that. */
  z.strictObject({
    code: z.literal('document_file_taken'),
    ...document,
    file: z.string(),
    version: z.string(),
  }),
  /** Another document of the release is for the same devices. */
  z.strictObject({ code: z.literal('document_repeated'), ...document, first: z.string() }),
  /** No key of the app made the signature. */
  z.strictObject({ code: z.literal('document_signature'), ...document, app: z.string() }),
  /** The signature had to be verified, and the app has no key for it. */
  z.strictObject({
    code: z.literal('document_unchecked'),
    ...document,
    app: z.string(),
    updater: DocumentUpdater,
  }),
] as const
export type DocumentRefusal = z.infer<(typeof DOCUMENT_REFUSALS)[number]>

/** Their kinds. */
export const DOCUMENT_REFUSAL_KINDS: Readonly<Record<DocumentRefusal['code'], RefusalKind>> = {
  document_unreadable: 'invalid',
  document_version: 'invalid',
  document_file: 'invalid',
  document_file_taken: 'invalid',
  document_repeated: 'invalid',
  document_signature: 'invalid',
  document_unchecked: 'invalid',
}
