/** An element of an XML document. */
export interface XmlElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: XmlElement[]
  /** The text in it, without that of its children. */
  text: string
}

const TOKEN =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<\/([^\s<>/]+)\s*>|<([^\s<>/!?]+)((?:\s+[^\s=<>/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/gy
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>' },
  ...{ quot: '"', apos: "'" },
}

/** The tag of an element as it is written. */
interface Tag {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
}

/** Elements within each other: more than any document has that is read here. */
const MAX_DEPTH = 64

/**
 * Reads the root element of an XML document. Undefined for one that is not well-formed, or that has a document type: its
 * entities could say anything. `namespaces`: by their URI, the prefix that the names of each get, whichever one the document
 * declares for it.
 */
export function readXml(
  text: string,
  namespaces: ReadonlyMap<string, string> = new Map(),
): XmlElement | undefined {
  const document: XmlElement = { name: '', attributes: new Map(), children: [], text: '' }
  const open = [document]
  const tags: Tag[] = []
  /** A name with the prefix that its namespace gets, by the innermost tag that declares the one in the document. */
  const nameIn = (written: string) => {
    const [prefix = '', rest] = written.split(/:(.*)/)
    if (rest === undefined) return written
    const declared = `xmlns:${prefix}`
    const tag = tags.findLast(({ attributes }) => attributes.has(declared))
    return `${namespaces.get(tag?.attributes.get(declared) ?? '') ?? prefix}:${rest}`
  }
  let read = text.startsWith('\uFEFF') ? 1 : 0
  TOKEN.lastIndex = read
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    read = TOKEN.lastIndex
    const [, data, closed, name, attributes = '', empty, plain] = match
    const current = open.at(-1) ?? document
    if (data !== undefined) current.text += data
    else if (plain !== undefined) current.text += unescaped(plain)
    else if (closed !== undefined) {
      if (tags.pop()?.name !== closed) return undefined
      open.pop()
    } else if (name !== undefined) {
      if (tags.length === MAX_DEPTH) return undefined
      const written = attributesOf(attributes)
      tags.push({ name, attributes: written })
      const named = [...written].map(([key, value]) => [nameIn(key), value] as const)
      const element = { name: nameIn(name), attributes: new Map(named), children: [], text: '' }
      current.children.push(element)
      if (empty === '') open.push(element)
      else tags.pop()
    }
  }
  const [root, ...more] = document.children
  const isWhole = read === text.length && open.length === 1 && more.length === 0
  return isWhole && document.text.trim() === '' ? root : undefined
}

/** Returns the elements of a name within each other, such as `channel` and `item` in `rss`. */
export function elementsIn(element: XmlElement, ...path: readonly string[]): XmlElement[] {
  return path.reduce<XmlElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((each) => each.name === name)),
    [element],
  )
}

function attributesOf(text: string): Map<string, string> {
  return new Map(
    Array.from(text.matchAll(ATTRIBUTE), ([, name = '', double, single = '']) => {
      return [name, unescaped(double ?? single)]
    }),
  )
}

/** Returns the text that XML has for text. */
export function unescaped(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (entity, hex, decimal, name) => {
      if (name !== undefined) return ENTITIES[name] ?? entity
      const code = Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16)
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity
    },
  )
}
