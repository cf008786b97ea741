import { z } from 'zod'

/**
 * What a restore does about the account of a person, so that it gives nobody access that was taken since the backup.
 *
 * - `removed`: removed since; restored as disabled, without a way to sign in
 * - `added`: created since; not there after the restore
 * - `unknown`: disabled until an administrator enables it, because there is no current data to compare with
 * - `administrator`: kept as it is, because the restore would leave no administrator who can sign in
 * - `disabled`: disabled now or in the backup; stays disabled
 * - `roles`: gets the lower of the roles now and in the backup
 * - the others: stay as they are now
 */
export const PersonDifference = z.enum([
  'removed',
  'added',
  'unknown',
  'administrator',
  'disabled',
  'roles',
  'password',
  'second_factor',
  'recovery_codes',
  'passkeys',
  'identities',
  'email',
])
export type PersonDifference = z.infer<typeof PersonDifference>

/**
 * What a restore does about an API key: `revoked` or `removed` since, or `unknown` because there is no current data to
 * compare with, are revoked after it; `added` since are not there.
 */
const KeyDifference = z.enum(['revoked', 'removed', 'unknown', 'added'])

/** Who and what has another access than in the backup after a restore, or than now: people by name, keys as created. */
export const RestoredAccess = z.strictObject({
  people: z.array(z.strictObject({ name: z.string(), differences: z.array(PersonDifference) })),
  keys: z.array(
    z.strictObject({ name: z.string(), prefix: z.string(), difference: KeyDifference }),
  ),
})
export type RestoredAccess = z.infer<typeof RestoredAccess>
