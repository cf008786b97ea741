import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { encodeIcns, encodeIco, ICNS_TYPES } from '../../build/icon-containers.ts'

const icons = join(import.meta.dirname, '../../build/icons')
const read = (name: string) => readFileSync(join(icons, name))

/** Side in pixels of a square PNG. */
function pngSize(png: Buffer): number {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  expect(png.readUInt32BE(20)).toBe(png.readUInt32BE(16))
  return png.readUInt32BE(16)
}

describe('icon.ico', () => {
  test('has a separate picture for every size that Windows uses', () => {
    const ico = read('icon.ico')
    expect([ico.readUInt16LE(0), ico.readUInt16LE(2)]).toEqual([0, 1])
    const sizes = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
      const entry = 6 + 16 * index
      const offset = ico.readUInt32LE(entry + 12)
      const size = pngSize(ico.subarray(offset, offset + ico.readUInt32LE(entry + 8)))
      expect(ico.readUInt8(entry)).toBe(size % 256)
      return size
    })
    expect(sizes).toEqual([16, 20, 24, 32, 40, 48, 64, 128, 256])
  })

  test('refuses a picture that it cannot name', () => {
    expect(() => encodeIco([{ size: 512, png: Buffer.alloc(0) }])).toThrow(RangeError)
  })
})

describe('icon.icns', () => {
  test('holds the size that each of its types stands for', () => {
    const icns = read('icon.icns')
    expect(icns.toString('latin1', 0, 4)).toBe('icns')
    expect(icns.readUInt32BE(4)).toBe(icns.length)
    const found = new Map<string, number>()
    for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4)) {
      const picture = icns.subarray(at + 8, at + icns.readUInt32BE(at + 4))
      found.set(icns.toString('latin1', at, at + 4), pngSize(picture))
    }
    expect(found).toEqual(ICNS_TYPES)
  })

  test('refuses to leave one out', () => {
    expect(() => encodeIcns([{ size: 32, png: Buffer.alloc(0) }])).toThrow('64 pixels')
  })
})

test.each([
  ['icon.png', 1024],
  ['linux/512x512.png', 512],
  ['linux/16x16.png', 16],
  ['tray/trayTemplate.png', 16],
  ['tray/trayTemplate@2x.png', 32],
  ['tray/tray-on-dark@2x.png', 32],
  ['tray/tray-on-any@2x.png', 32],
])('%s is %d pixels wide', (name, size) => {
  expect(pngSize(read(name))).toBe(size)
})
