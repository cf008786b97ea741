import { z } from 'zod'
import { Timestamp } from '../../names.ts'
import { ListenFailure } from '../../operation/start-failure.ts'

/** What is wrong with the file or folder that a setting names. */
export const PathIssue = z.discriminatedUnion('code', [
  z.strictObject({ code: z.literal('not_absolute') }),
  /** Not on a drive of this computer, and not chosen in a dialog. */
  z.strictObject({ code: z.literal('remote') }),
  z.strictObject({ code: z.literal('not_a_file') }),
  z.strictObject({ code: z.literal('too_large'), maxBytes: z.int() }),
  /** `detail`, here and below: what the operating system reported. */
  z.strictObject({ code: z.literal('unreadable'), detail: z.string() }),
  z.strictObject({ code: z.literal('not_a_certificate') }),
  z.strictObject({ code: z.literal('not_a_key') }),
  /** The key does not belong to the certificate. */
  z.strictObject({ code: z.literal('other_key') }),
  /** OpenSSL does not accept the certificate, such as for a key that is too weak. */
  z.strictObject({ code: z.literal('weak_certificate') }),
  z.strictObject({ code: z.literal('expired'), expiresAt: Timestamp }),
  z.strictObject({ code: z.literal('unusable_folder'), detail: z.string() }),
])
export type PathIssue = z.infer<typeof PathIssue>

/** Why a setting would stop the server from starting, or one of its jobs from working. */
export const SettingIssue = z.discriminatedUnion('code', [
  ...PathIssue.options,
  ...ListenFailure.options,
  /** The system does not let the server listen at the address. */
  z.strictObject({ code: z.literal('unusable_address'), detail: z.string() }),
])
export type SettingIssue = z.infer<typeof SettingIssue>

/** What the two files of TLS are; or which of them is wrong, and how to fix it. */
export const TlsReport = z.discriminatedUnion('ok', [
  z.strictObject({
    ok: z.literal(true),
    /** Names and addresses that the certificate is for. */
    names: z.array(z.string()),
    issuer: z.string(),
    selfSigned: z.boolean(),
    validFrom: Timestamp,
    expiresAt: Timestamp,
  }),
  z.strictObject({
    ok: z.literal(false),
    field: z.enum(['certFile', 'keyFile']),
    issue: PathIssue,
  }),
])
export type TlsReport = z.infer<typeof TlsReport>
