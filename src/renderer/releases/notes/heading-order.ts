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
export function numberHeadings(): (tree: HtmlNode) => void {
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
