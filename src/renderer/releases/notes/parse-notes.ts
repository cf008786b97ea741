import type { RootContent } from 'hast'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { showProse } from '../../../shared/visible.ts'
import { numberHeadings } from './heading-order.ts'

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
