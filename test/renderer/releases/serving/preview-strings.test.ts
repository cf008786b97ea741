import { describe, expect, it } from 'vitest'
import { previewInWords } from '../../../../src/renderer/releases/serving/strings.ts'
import type { Preview } from '../../../../src/shared/console/releases/preview.ts'

const PREVIEW: Preview = {
  devices: 1000,
  gaining: 412,
  earlyAccess: 0,
  sized: 0,
  bytes: 0,
  blocks: { devices: 0, known: 0, most: 0, bytes: 0 },
  patches: { devices: 0, known: 0, most: 0, bytes: 0 },
  manualChecks: false,
  losing: 0,
  movingDown: 0,
  unknown: 0,
  stranded: 0,
  downTo: [],
  byVersion: [],
  byPlatform: [],
  byLabel: [],
}

describe('a preview in words', () => {
  it('counts devices that are newly offered the release', () => {
    expect(previewInWords(PREVIEW, '2.1.0', 0)).toEqual([
      '412 of 1,000 devices will be newly offered this release.',
    ])
  })

  it('counts devices with early access, and says that manual checks are in', () => {
    const early = (count: number) => ({ ...PREVIEW, earlyAccess: count, manualChecks: count === 1 })
    expect(previewInWords(early(1), '2.1.0', 0).slice(1)).toEqual([
      '1 of them has early access.',
      'Devices whose users check for updates manually are offered it too.',
    ])
    expect(previewInWords(early(3), '2.1.0', 0).slice(1)).toEqual(['3 of them have early access.'])
  })

  it('says what the devices download, as far as it is known', () => {
    const sized = (count: number) => {
      return previewInWords({ ...PREVIEW, sized: count, bytes: count * 8_400_000 }, '2.1.0', 0)
    }
    expect(sized(412).slice(1)).toEqual([
      'Full downloads: 8.4 MB per device on average, 3.5 GB in total.',
    ])
    expect(sized(100).slice(1)).toEqual([
      'Full downloads: 8.4 MB per device on average, 840 MB in total, for the 100 devices whose file size is known.',
    ])
  })

  it('says what devices download that have a part of the file', () => {
    const preview = { ...PREVIEW, sized: 412, bytes: 412 * 8_400_000 }
    const blocks = { devices: 400, known: 300, most: 0, bytes: 300 * 60_000 }
    const said = (patches: Preview['patches']) =>
      previewInWords({ ...preview, blocks, patches }, '2.1.0', 0).slice(2)
    expect(said({ devices: 412, known: 0, most: 0, bytes: 0 })).toEqual([
      'Differential downloads with electron-updater: 60.0 kB per device on average, 18.0 MB in total, for 300 of 400 devices.',
      'Patches with @tidegate/client: not known yet.',
    ])
    expect(said({ devices: 400, known: 400, most: 10, bytes: 400 * 40_000 })[1]).toBe(
      'Patches with @tidegate/client: at most 40.0 kB per device on average, 16.0 MB in total.',
    )
  })

  it('counts devices that are downgraded, and that cannot be', () => {
    const preview = { ...PREVIEW, gaining: 0, losing: 30, movingDown: 41, stranded: 3 }
    const one = { ...preview, downTo: [{ version: '2.0.3', devices: 41 }] }
    expect(previewInWords(one, '2.1.0', 120)[2]).toBe(
      '41 of 120 devices on 2.1.0 will be downgraded to 2.0.3; 3 have no earlier version to downgrade to.',
    )
    const two = {
      ...preview,
      downTo: [
        { version: '2.0.3', devices: 40 },
        { version: '2.0.2', devices: 1 },
      ],
    }
    expect(previewInWords(two, '2.1.0', 120)[2]).toBe(
      '41 of 120 devices on 2.1.0 will be downgraded: 40 to 2.0.3 and 1 to 2.0.2; 3 have no earlier version to downgrade to.',
    )
    expect(previewInWords({ ...preview, movingDown: 0, stranded: 1 }, '2.1.0', 1)[2]).toBe(
      '1 of 1 device on 2.1.0 has no earlier version to downgrade to.',
    )
  })

  it('says so where no device is known', () => {
    expect(previewInWords({ ...PREVIEW, devices: 0 }, '2.1.0', 0)).toHaveLength(1)
  })
})
