import type { Element, RootContent } from 'hast'

/** Elements and texts that are drawn in one frame, within about ten milliseconds. */
export const SLICE = 150

/** A part of parsed notes that is drawn at once, or an element whose children are. */
export interface Piece {
  readonly node: RootContent
  /** Elements and texts, itself included. */
  readonly size: number
  /** The children of an element that is too large to be drawn at once. */
  readonly parts?: readonly Piece[]
}

/** Elements in which React accepts no blanks. */
const WITHOUT_TEXT = new Set(['table', 'thead', 'tbody', 'tr'])

/** Divides parsed notes into pieces of at most `SLICE` elements and texts. */
export function piecesOf(nodes: readonly RootContent[]): Piece[] {
  return nodes.map((node) => {
    const size = sizeOf(node)
    if (size <= SLICE || node.type !== 'element') return { node, size }
    return { node, size, parts: piecesOf(childrenOf(node)) }
  })
}

function childrenOf({ tagName, children }: Element): RootContent[] {
  return WITHOUT_TEXT.has(tagName) ? children.filter(({ type }) => type === 'element') : children
}

function sizeOf(node: RootContent): number {
  if (!('children' in node)) return 1
  return node.children.reduce((sum, child) => sum + sizeOf(child), 1)
}
