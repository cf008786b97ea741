import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../..')

/** A fenced code block. */
export interface Block {
  readonly language: string
  readonly text: string
  /** The headings above it, outermost first. */
  readonly under: readonly string[]
}

/** Returns the paths of all documentation, relative to the repository. */
export function documentation(): string[] {
  const inDocs = readdirSync(join(ROOT, 'docs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)))
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...inDocs.sort()]
}

/** Returns the text of a page, by its path in the repository. */
export function readPage(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** Returns the fenced code blocks of a text, in order. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let under: string[] = []
  let open: { language: string; lines: string[] } | undefined
  for (const line of text.split('\n')) {
    const fence = /^\s*```(\w*)$/.exec(line)
    const heading = /^(#+) (.+)$/.exec(line)
    if (open !== undefined && fence !== null) {
      blocks.push({ language: open.language, text: open.lines.join('\n'), under })
      open = undefined
    } else if (open !== undefined) open.lines.push(line)
    else if (fence !== null) open = { language: fence[1] ?? '', lines: [] }
    else if (heading !== null)
      under = [...under.slice(0, (heading[1]?.length ?? 1) - 1), heading[2] ?? '']
  }
  return blocks
}

/** The code of a page. Tests take the blocks that they run; what nobody took is left. */
export class PageCode {
  #left: readonly Block[]

  constructor(path: string) {
    this.#left = blocksOf(readPage(path))
  }

  /** Takes the blocks right under a heading, in a language, in order. Throws if there are none. */
  take(heading: string, language: string): string[] {
    const isTaken = (block: Block) => block.language === language && block.under.at(-1) === heading
    const taken = this.#left.filter(isTaken)
    if (taken.length === 0) throw new Error(`no ${language} block under "${heading}"`)
    this.#left = this.#left.filter((block) => !isTaken(block))
    return taken.map(({ text }) => text)
  }

  /** Takes the one block right under a heading in a language. */
  takeOne(heading: string, language: string): string {
    const [text, ...others] = this.take(heading, language)
    if (text === undefined || others.length > 0) throw new Error(`not one block under "${heading}"`)
    return text
  }

  get left(): readonly Block[] {
    return this.#left
  }
}
