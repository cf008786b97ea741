import { expect, test } from 'vitest'
import { readElectronDocument } from '../../../../src/shared/artifacts/documents/electron-document.ts'
import { elementsIn, readXml } from '../../../../src/shared/artifacts/documents/xml.ts'

const payloadOf = (manifest: object) => {
  const read = readElectronDocument(
    'latest.yml',
    JSON.stringify({ ...manifest, signature: 'c2ln' }),
  )
  return read && new TextDecoder().decode(read.payload)
}

test('what electron-builder signs has the form EBUM1', () => {
  const files = [
    { url: 'b "1".exe', sha512: 'two', size: 2 },
    { url: 'a.exe', sha512: 'one' },
  ]
  const packages = {
    x64: { path: 'p.7z', sha512: 'p', size: 5, blockMapSize: 7, isAdminRightsRequired: true },
    ia32: { path: 'q.7z', sha512: 'q' },
  }
  expect(payloadOf({ version: '1.2.3', files })).toBe(
    'EBUM1\nversion:"1.2.3"\nstaging:\nminimumSystemVersion:\nfile:"a.exe"\t"one"\t\nfile:"b \\"1\\".exe"\t"two"\t2',
  )
  const more = { stagingPercentage: 25, minimumSystemVersion: '10.0.19041', packages }
  expect(payloadOf({ version: '1.2.3', files: files.slice(1), ...more })).toBe(
    'EBUM1\nversion:"1.2.3"\nstaging:25\nminimumSystemVersion:"10.0.19041"\nfile:"a.exe"\t"one"\t\npackage:"ia32"\t"q.7z"\t"q"\t\t\t\npackage:"x64"\t"p.7z"\t"p"\t5\t7\t1',
  )
})

test.each([
  { version: 1.2 },
  { files: [] },
  { files: [{ url: '', sha512: 'one' }] },
  { files: [{ url: 'a\tb.exe', sha512: 'one' }] },
  { files: [{ url: 'a.exe', sha512: 'one', size: '1' }] },
  { files: [{ url: 'a.exe', sha512: 'one', blockMapUrl: 'a.blockmap' }] },
  { stagingPercentage: '10' },
  { packages: { x64: { path: 'p.7z' } } },
  { signature: '' },
])('electron-updater would refuse a manifest with %j', (members) => {
  const plain = { version: '1.2.3', files: [{ url: 'a.exe', sha512: 'one' }], signature: 'c2ln' }
  expect(readElectronDocument('latest.yml', JSON.stringify(plain))).toBeDefined()
  const manifest = JSON.stringify({ ...plain, ...members })
  expect(readElectronDocument('latest.yml', manifest)).toBeUndefined()
})

test('an XML document is read with entities, CDATA, comments and both quotes', () => {
  const root = readXml(
    `<?xml version="1.0"?><!-- <a> --><a b='"1"' c = "&lt;&#x41;&#66;&amp;"><d>x<![CDATA[<&amp;>]]></d><d/>\n</a >`,
  )
  expect(root?.attributes).toEqual(new Map(Object.entries({ b: '"1"', c: '<AB&' })))
  expect(root && elementsIn(root, 'd').map(({ text }) => text)).toEqual(['x<&amp;>', ''])
})

test.each([
  '',
  'text',
  '<a>',
  '<a></b>',
  '</a>',
  '<a/><b/>',
  '<a/>text',
  '<a b=1/>',
  '<a <b/></a>',
  '<a><!-- </a>',
  '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>',
])('no XML document, or none to trust: %s', (text) => {
  expect(readXml(text)).toBeUndefined()
})

test('an XML document has 64 elements within each other at most: who writes it cannot make it cost more than its length', () => {
  const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth)
  expect(readXml(nested(64))).toBeDefined()
  expect(readXml(nested(65))).toBeUndefined()
})
