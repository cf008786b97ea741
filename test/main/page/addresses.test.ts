import { resolve, sep } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appFile, webLink } from '../../../src/main/page/addresses.ts'

const root = resolve('/srv/console')

describe('a file of the page', () => {
  it.each([
    ['app://console/index.html', 'index.html', 'text/html; charset=utf-8'],
    ['app://console/assets/index-a1.js?v=2#top', 'assets/index-a1.js', 'text/javascript'],
    ['app://console/assets/a%20b.svg', 'assets/a b.svg', 'image/svg+xml'],
    ['app://console/assets/../index.html', 'index.html', 'text/html'],
  ])('%s is %s', (address, path, type) => {
    const file = appFile(root, address)
    expect(file?.path).toBe(resolve(root, path))
    expect(file?.contentType).toContain(type)
  })

  it.each([
    ['another host', 'app://other/index.html'],
    ['another scheme', 'file:///srv/console/index.html'],
    ['a host that begins alike', 'app://console.example/index.html'],
    ['no path', 'app://console/'],
    ['an encoded way out', 'app://console/%2e%2e%2f%2e%2e%2fetc/hosts.json'],
    ['a way out of two encodings of a slash', 'app://console/..%2f..%2fpackage.json'],
    ['a folder beside it that begins alike', 'app://console/..%2fconsole-old%2findex.html'],
    ['a backslash', 'app://console/..%5c..%5cpackage.json'],
    ['a drive', 'app://console/C:%2fWindows%2fwin.json'],
    ['an end of a string', 'app://console/index.html%00.js'],
    ['a broken encoding', 'app://console/%zz.html'],
    ['a kind that the page has not', 'app://console/.env'],
  ])('is not %s', (_, address) => {
    expect(appFile(root, address)).toBeUndefined()
  })

  it('is below the root for any path', () => {
    const part = fc.constantFrom('..', '.', '%2e%2e', '/', '%2f', '%5c', '\\', 'a', ':', '%00')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const file = appFile(root, `app://console/${parts.join('')}.js`)
        expect(file?.path.startsWith(root + sep) ?? true).toBe(true)
      }),
    )
  })
})

describe('a link to the web', () => {
  it.each(['https://example.org/a?b#c', 'http://192.168.0.7:8440/'])('opens %s', (address) => {
    expect(webLink(address)).toBe(address)
  })

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://server/share',
    'ms-settings:',
    'app://console/index.html',
    'https://user:secret@example.org/',
    'example.org',
    '//example.org',
    '',
  ])('does not open %o', (address) => {
    expect(webLink(address)).toBeUndefined()
  })
})
