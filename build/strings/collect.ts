import { type ESTree, parseSync, Visitor } from 'vite'

/** A text that a person reads, and the line of the source that has it. */
export interface Text {
  readonly line: number
  /** Expressions of a template are shown as `{…}`. */
  readonly text: string
}

/** Names of attributes and object members whose value is shown to a person. */
const SHOWN = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'body',
  'description',
  'detail',
  'empty',
  'error',
  'heading',
  'hint',
  'label',
  'message',
  'placeholder',
  'subtitle',
  'title',
  'tooltip',
])

/** A letter: texts without one are punctuation and numbers. */
const LETTER = /\p{L}/u

/** Returns every text of a strings module, in the order of the source. */
export function textsOfModule(file: string, source: string): readonly Text[] {
  const found = new Texts(source)
  /** Ranges of what is not a text: module names, types, keys and compared codes. */
  const codes: ESTree.Node[] = []
  const code = (node: ESTree.Node | null | undefined) => {
    if (node) codes.push(node)
  }
  const isCode = ({ start }: ESTree.Node) =>
    codes.some((range) => range.start <= start && start < range.end)
  walk(file, source, {
    ImportDeclaration: ({ source }) => code(source),
    ExportNamedDeclaration: ({ source }) => code(source),
    ExportAllDeclaration: ({ source }) => code(source),
    TSLiteralType: ({ literal }) => code(literal),
    SwitchCase: ({ test }) => code(test),
    BinaryExpression: ({ left, right, operator }) => {
      if (operator !== '===' && operator !== '!==') return
      code(left)
      code(right)
    },
    NewExpression: (node) => code(node),
    MemberExpression: ({ property }) => code(property),
    Property: ({ key, shorthand }) => {
      if (!shorthand) code(key)
    },
    Literal: (node) => {
      if (typeof node.value === 'string' && !isCode(node)) found.add(node, node.value)
    },
    TemplateLiteral: (node) => {
      if (!isCode(node)) found.addTemplate(node)
    },
  })
  return found.inOrder()
}

/**
 * Returns the texts that are left in a component: text between its tags, and literals in attributes and
 * object members that are shown to a person.
 */
export function textsOfComponent(file: string, source: string): readonly Text[] {
  const found = new Texts(source)
  const add = (node: ESTree.Node | null | undefined): void => {
    switch (node?.type) {
      case 'Literal':
        if (typeof node.value === 'string') found.add(node, node.value)
        return
      case 'TemplateLiteral':
        found.addTemplate(node)
        return
      case 'ConditionalExpression':
        add(node.consequent)
        add(node.alternate)
        return
      case 'LogicalExpression':
        add(node.left)
        add(node.right)
        return
      case 'JSXExpressionContainer':
        add(node.expression)
    }
  }
  walk(file, source, {
    JSXText: (node) => found.add(node, node.value),
    JSXElement: ({ children }) => children.forEach(add),
    JSXFragment: ({ children }) => children.forEach(add),
    JSXAttribute: ({ name, value }) => {
      if (name.type === 'JSXIdentifier' && SHOWN.has(name.name)) add(value)
    },
    Property: ({ key, value }) => {
      if (key.type === 'Identifier' && SHOWN.has(key.name)) add(value)
    },
  })
  return found.inOrder()
}

/** The texts of one source. */
class Texts {
  readonly #source: string
  readonly #found = new Map<number, string>()

  constructor(source: string) {
    this.#source = source
  }

  add({ start }: { readonly start: number }, value: string): void {
    const text = value.replace(/\s+/g, ' ').trim()
    if (LETTER.test(text)) this.#found.set(start, text)
  }

  addTemplate(node: ESTree.TemplateLiteral): void {
    this.add(node, node.quasis.map(({ value }) => value.cooked ?? value.raw).join('{…}'))
  }

  inOrder(): readonly Text[] {
    return [...this.#found]
      .toSorted(([one], [other]) => one - other)
      .map(([start, text]) => ({ line: this.#source.slice(0, start).split('\n').length, text }))
  }
}

/** Throws when the source cannot be parsed. */
function walk(file: string, source: string, visitor: ConstructorParameters<typeof Visitor>[0]) {
  const { program, errors } = parseSync(file, source)
  const [error] = errors
  if (error !== undefined) throw new Error(`${file}: ${error.message}`)
  new Visitor(visitor).visit(program)
}
