import { Typography } from '@mantine/core'
import type { Element, Nodes, RootContent } from 'hast'
import { toJsxRuntime } from 'hast-util-to-jsx-runtime'
import { cloneElement, memo, type ReactElement, useEffect, useMemo, useState } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import { Loading } from '../../components/loading/loading.tsx'
import { ELEMENTS } from './elements.tsx'
import classes from './notes.module.css'
import { parseNotes } from './parse-notes.ts'

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

/** Release notes, rendered. Long ones grow from their first line on, a slice in each frame. */
export const Notes = memo(function Notes({ markdown }: { readonly markdown: string }) {
  const nodes = useParsedNotes(markdown)
  if (nodes === undefined) return <Loading rows={4} height={24} />
  return (
    <Typography fz="sm" className={classes.notes}>
      <Growing nodes={nodes} />
    </Typography>
  )
})

function Growing({ nodes }: { readonly nodes: readonly RootContent[] }) {
  const pieces = useMemo(() => piecesOf(nodes), [nodes])
  const total = pieces.reduce((sum, { size }) => sum + size, 0)
  const [drawn, setDrawn] = useState(SLICE)
  useEffect(() => {
    if (drawn >= total) return
    const frame = requestAnimationFrame(() => setDrawn(drawn + SLICE))
    return () => cancelAnimationFrame(frame)
  }, [drawn, total])
  return draw(pieces, drawn)
}

/** Draws the pieces that begin within the first `count` elements and texts. */
function draw(pieces: readonly Piece[], count: number): ReactElement[] {
  const drawn: ReactElement[] = []
  let before = 0
  for (const [index, { node, size, parts }] of pieces.entries()) {
    if (before >= count) break
    if (parts === undefined || node.type !== 'element') {
      drawn.push(<Whole key={index} node={node} />)
    } else {
      const empty = elementOf({ ...node, children: [] })
      drawn.push(cloneElement(empty, { key: index }, draw(parts, count - before - 1)))
    }
    before += size
  }
  return drawn
}

const Whole = memo(function Whole({ node }: { readonly node: RootContent }) {
  return elementOf(node)
})

function elementOf(node: Nodes): ReactElement {
  return toJsxRuntime(node, { Fragment, jsx, jsxs, components: ELEMENTS, ignoreInvalidStyle: true })
}

/** Characters of notes that are parsed at once, within about ten milliseconds. */
const SHORT = 2_000

/** Returns parsed notes; undefined while a worker parses long ones, which can take half a second. */
function useParsedNotes(markdown: string): readonly RootContent[] | undefined {
  const isShort = markdown.length <= SHORT
  const short = useMemo(() => (isShort ? parseNotes(markdown) : undefined), [isShort, markdown])
  const [long, setLong] = useState<{ markdown: string; nodes: readonly RootContent[] }>()
  useEffect(() => {
    if (isShort) return
    const worker = new Worker(new URL('./notes-worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<RootContent[]>) => setLong({ markdown, nodes: data })
    // Late is better than never.
    worker.onerror = () => setLong({ markdown, nodes: parseNotes(markdown) })
    worker.postMessage(markdown)
    return () => worker.terminate()
  }, [isShort, markdown])
  return short ?? (long?.markdown === markdown ? long.nodes : undefined)
}
