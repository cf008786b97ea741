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

/** An element that is not closed yet. */
interface OpenElement {
  readonly element: XmlElement
  /** Its name as it is written. */
  readonly tag: string
  /** The prefixes whose namespace is known, and the one to write in their place. */
  readonly prefixes: ReadonlyMap<string, string>
}

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
  const open: OpenElement[] = [{ element: document, tag: '', prefixes: new Map() }]
  let read = text.startsWith('\uFEFF') ? 1 : 0
  TOKEN.lastIndex = read
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    read = TOKEN.lastIndex
    const [, data, closed, name, attributes = '', empty, plain] = match
    const { element: current, prefixes } = open.at(-1) ?? { element: document, prefixes: new Map() }
    if (data !== undefined) current.text += data
    else if (plain !== undefined) current.text += unescaped(plain)
    else if (closed !== undefined && (open.length === 1 || open.pop()?.tag !== closed))
      return undefined
    else if (name !== undefined) {
      const read = attributesOf(attributes)
      const inner = declaredIn(read, prefixes, namespaces)
      const named = new Map([...read].map(([key, value]) => [prefixed(key, inner), value]))
      const element = { name: prefixed(name, inner), attributes: named, children: [], text: '' }
      current.children.push(element)
      if (empty === '') open.push({ element, tag: name, prefixes: inner })
    }
  }
  const [root, ...more] = document.children
  const isWhole = read === text.length && open.length === 1 && more.length === 0
  return isWhole && document.text.trim() === '' ? root : undefined
}

/** The prefixes of an element: those around it, and those that it declares itself. */
function declaredIn(
  attributes: ReadonlyMap<string, string>,
  outer: ReadonlyMap<string, string>,
  namespaces: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const declared = [...attributes].flatMap(([name, uri]): [string, string][] => {
    const [, prefix] = /^xmlns:(.+)$/.exec(name) ?? []
    return prefix === undefined ? [] : [[prefix, namespaces.get(uri) ?? prefix]]
  })
  return declared.length === 0 ? outer : new Map([...outer, ...declared])
}

function prefixed(name: string, prefixes: ReadonlyMap<string, string>): string {
  const [prefix = '', rest] = name.split(/:(.*)/)
  return rest === undefined ? name : `${prefixes.get(prefix) ?? prefix}:${rest}`
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
