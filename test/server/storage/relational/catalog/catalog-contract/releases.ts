import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codePoint } from '../../../../../support/builders/code-point.ts'
import { artifact, type CatalogSubject, newRelease } from './subject.ts'

/** What a release is without offers and a plan. */
const NEW = { offered: false, openPct: null }

/** Releases, whatever they hold. */
export function releaseContract(catalog: CatalogSubject): void {
  describe('releases', () => {
    test('releases keep notes of a mebibyte, which older versions took, targets and the order of artifacts', async () => {
      const release = newRelease(catalog.stable, {
        notes: '# ✨\n'.repeat(1_048_576 / 4),
        targets: {
          matchLabels: { ring: ['beta', 'internal'], site: 'Zürich' },
          matchExpressions: [{ key: 'device.version', operator: 'VersionIn', values: ['>=1'] }],
        },
        artifacts: ['z', 'a', 'm'].map((arch) => artifact({ arch, size: 2 ** 53 - 1 })),
      })
      const answered = await catalog.store.transact((tx) => tx.insertRelease(release))
      const { revision } = answered
      expect(answered).toEqual({ ...release, ...NEW, revision })
      expect(await catalog.store.release(catalog.stable.key, release.version)).toEqual(answered)
      expect(await catalog.releasesOf(catalog.stable)).toEqual([answered])
    })

    test('any release reads back as it was written', async () => {
      await fc.assert(
        fc.asyncProperty(anyRelease, async (parts) => {
          const release = newRelease(catalog.stable, parts)
          await catalog.store.transact((tx) => tx.insertRelease(release))
          expect(await catalog.store.release(catalog.stable.key, release.version)).toEqual({
            ...release,
            ...NEW,
            revision: (await catalog.revisions()).stable,
          })
        }),
        { numRuns: 60 },
      )
    })

    test('a release that does not exist is undefined', async () => {
      await catalog.publish({ version: '1.0.0' })
      expect(await catalog.store.release(catalog.stable.key, '1.0.1')).toBeUndefined()
      expect(await catalog.store.release(catalog.beta.key, '1.0.0')).toBeUndefined()
    })
  })
}

/** Text as a JSON body can hold it, without halves of surrogate pairs, which UTF-8 cannot hold. */
const text = fc.string({ unit: codePoint, maxLength: 40 })
const members = fc
  .dictionary(text, fc.jsonValue(), { noNullPrototype: true })
  .map((any): Record<string, unknown> => JSON.parse(JSON.stringify(any)))
const anyDocuments = fc.array(
  fc.record({
    updater: fc.constantFrom('electron' as const, 'sparkle' as const),
    ...{ name: text, content: text, checked: fc.boolean() },
  }),
  { minLength: 1, maxLength: 3 },
)
const anyReleaseParts = fc.record({
  notes: text,
  status: fc.constantFrom('published' as const, 'paused' as const, 'rolled_back' as const),
  rolloutPct: fc.integer({ min: 0, max: 100 }),
  targets: fc.record({
    matchLabels: fc.dictionary(
      text,
      fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 3 })),
      { noNullPrototype: true },
    ),
    matchExpressions: fc.array(
      fc.record({ key: text, operator: fc.constant('In' as const), values: fc.array(text) }),
      { maxLength: 3 },
    ),
  }),
  artifacts: fc.array(
    fc.record(
      {
        ...{ platform: text, arch: text, kind: text, url: text, sha512: text },
        ...{ size: fc.maxSafeNat(), signature: text },
        minimumSystemVersion: text,
        isAdminRightsRequired: fc.boolean(),
        blockMapSize: fc.maxSafeNat(),
        extra: fc.record({ updater: fc.constant('electron' as const), file: members }),
      },
      { requiredKeys: ['platform', 'arch', 'kind', 'url', 'sha512', 'size', 'signature'] },
    ),
    { maxLength: 5 },
  ),
})

const anyRelease = fc
  .tuple(anyReleaseParts, fc.option(anyDocuments, { nil: undefined }))
  .map(([parts, documents]) => (documents === undefined ? parts : { ...parts, documents }))
