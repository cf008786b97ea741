import { DOMParser, type Element } from '@xmldom/xmldom'
import { expect } from 'vitest'
import type { TestServer } from '../servers/server.ts'

const NAMESPACE = 'http://www.andymatuschak.org/xml-namespaces/sparkle'

/** The only item of an appcast, as `SUAppcast.m` reads it: elements by namespace and name. Null without one. */
export async function itemFor(server: TestServer, query = '', headers = {}, channel = 'stable') {
  const path = `/sparkle/editor/${channel}/appcast.xml${query}`
  const { status, text, headers: sent } = await server.call('GET', path, { key: null, headers })
  expect(status, text).toBe(200)
  expect(sent.get('content-type')).toBe('application/rss+xml; charset=utf-8')
  const onError = (_level: string, message: string) => {
    throw new Error(message)
  }
  const document = new DOMParser({ onError }).parseFromString(text, 'application/xml')
  const [item, ...more] = [...document.getElementsByTagName('item')]
  expect(more).toEqual([])
  if (item === undefined) return null
  const named = new Map<string, Element>()
  for (const child of item.childNodes) {
    if (child.nodeType !== child.ELEMENT_NODE) continue
    const element = child as Element
    const prefix = element.namespaceURI === NAMESPACE ? 'sparkle:' : ''
    named.set(`${prefix}${element.localName}`, element)
  }
  const textOf = (name: string) => named.get(name)?.textContent
  const enclosure = named.get('enclosure')
  return {
    version: textOf('sparkle:version'),
    shown: textOf('sparkle:shortVersionString'),
    date: textOf('pubDate'),
    notes: textOf('description'),
    format: named.get('description')?.getAttributeNS(NAMESPACE, 'format'),
    floor: textOf('sparkle:minimumSystemVersion'),
    critical: named.get('sparkle:criticalUpdate')?.getAttributeNS(NAMESPACE, 'version'),
    url: enclosure?.getAttribute('url'),
    length: enclosure?.getAttribute('length'),
    signature: enclosure?.getAttributeNS(NAMESPACE, 'edSignature'),
  }
}
