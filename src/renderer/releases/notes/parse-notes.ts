import type { RootContent } from 'hast'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { showProse } from '../../../shared/basics/visible.ts'

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype)
  .use(rehypeSanitize)
  .use(numberHeadings)
  .freeze()

/** Returns release notes as elements. Markup in them that could run or load anything is taken out. */
export function parseNotes(markdown: string): RootContent[] {
  const { children } = processor.runSync(processor.parse(showProse(markdown)))
  for (const node of children) removePositions(node)
  return children
}

/** Nobody reads them, and they are half of what a worker would have to send. */
function removePositions(node: RootContent): void {
  delete node.position
  if ('children' in node) for (const child of node.children) removePositions(child)
}

/** What is read of a node of the rendered notes. */
interface HtmlNode {
  readonly type: string
  tagName?: string
  readonly children?: HtmlNode[]
}

/** The level of the heading that the notes stand under, and the deepest that HTML has. */
const ABOVE = 2
const DEEPEST = 6

/**
 * Numbers the headings of notes from the third level on, without gaps: notes often begin with a heading of the
 * second level, and readers who move by headings must not miss one.
 */
function numberHeadings(): (tree: HtmlNode) => void {
  return (tree) => {
    /** The levels as written of the headings that the present place is under. */
    const under: number[] = []
    const visit = (node: HtmlNode) => {
      const written = Number(/^h([1-6])$/.exec(node.tagName ?? '')?.[1])
      if (written > 0) {
        while ((under.at(-1) ?? 0) >= written) under.pop()
        under.push(written)
        node.tagName = `h${Math.min(ABOVE + under.length, DEEPEST)}`
      }
      for (const child of node.children ?? []) visit(child)
    }
    visit(tree)
  }
}
