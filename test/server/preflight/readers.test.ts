import { describe, expect, test } from 'vitest'
import type { Fault } from '../../../src/server/preflight/clients/reading.ts'
import { changed, electronFeed, type Members } from './feeds.ts'

const codesOf = (faults: readonly Fault[]) => faults.map(({ code }) => code)

describe.each(['nsis', 'mac', 'appimage'] as const)('electron-updater (%s)', (kind) => {
  test('installs what preflight passes, and refuses or misreads what it names', async () => {
    const { good, read, install } = await electronFeed(kind)
    expect([read(good), await install(good)]).toEqual([[], '1.1.0'])
    const [{ url, sha512 } = { url: '', sha512: '' }] = good.files as {
      url: string
      sha512: string
    }[]
    const arm = { ...good, files: [{ url: `${url}#arm64`, sha512 }] }
    type Case = readonly [code: string, feed: Members, outcome: RegExp, running?: string]
    const cases: readonly Case[] = [
      ['version_not_above', { ...good, version: '1.1.0+2' }, /^no update$/, '1.1.0+1'],
      ['version_not_above', good, /^no update$/, '1.2.0'],
      [
        'version_unreadable',
        { ...good, version: '1.1' },
        /ERR_UPDATER_INVALID_VERSION|not have a valid semver/,
      ],
      ['version_unreadable', { ...good, version: 1.1 }, /Error/],
      ['version_mismatch', { ...good, version: '1.3.0' }, /^1\.3\.0$/],
      ['checksum_missing', { ...good, files: [{ url }] }, /checksum/],
      ['feed_unreadable', changed(changed(good, ['files'], []), ['path'], undefined), /No files/],
      ['staged_by_document', { ...good, stagingPercentage: 0 }, /^no update$/],
      ['floor_ignored', { ...good, minimumSystemVersion: '14' }, /^1\.1\.0$/],
      ['wrong_file', changed(good, ['files', 0, 'sha512'], 'AAAA'), /sha512 checksum mismatch/],
      ...(kind === 'mac' ? ([['no_file', arm, /No files provided/]] as const) : []),
    ]
    for (const [code, feed, outcome, running] of cases) {
      expect(codesOf(read(feed, running)), JSON.stringify(feed)).toContain(code)
      expect(await install(feed, running), code).toMatch(outcome)
    }
  })
})
