import '@mantine/core/styles/Typography.css'
import { Tooltip, Typography, VisuallyHidden } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconExternalLink } from '@tabler/icons-react'
import type { Element, Nodes, RootContent } from 'hast'
import { type Components, toJsxRuntime } from 'hast-util-to-jsx-runtime'
import {
  type ComponentProps,
  cloneElement,
  memo,
  type ReactElement,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import { shellClient } from '../../bridge/clients.ts'
import { Loading } from '../../components/loading/loading.tsx'
import classes from './notes.module.css'
import { parseNotes } from './parse-notes.ts'
import { text } from './strings.ts'

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

/** Links open in the browser, never in the page; pictures from elsewhere are not loaded. */
const ELEMENTS: Partial<Components> = {
  a: OutsideLink,
  img: PictureText,
  input: TaskMark,
  table: ScrollingTable,
}

/** Tables scroll on their own, so that a wide one does not widen the page. */
function ScrollingTable({ children }: ComponentProps<'table'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.table} tabIndex={0} aria-label={text.table}>
      <table>{children}</table>
    </section>
  )
}

function PictureText({ alt, src }: ComponentProps<'img'>) {
  return <em>{`[${alt || (typeof src === 'string' && src) || text.picture}]`}</em>
}

/** The box of a task list: a mark to read, not a control. */
function TaskMark({ checked }: ComponentProps<'input'>) {
  return (
    <span role="img" aria-label={checked ? text.done : text.notDone}>
      {checked ? '☑' : '☐'}
    </span>
  )
}

/**
 * A link of the notes. It says where it leads, and opens in the browser of the machine. Notes can have a thousand
 * of them, so the tooltip exists only while it is shown.
 */
function OutsideLink({ href, children }: ComponentProps<'a'>) {
  const link = useRef<HTMLAnchorElement>(null)
  const [isNear, setNear] = useState(false)
  const url = href === undefined ? null : URL.parse(href)
  if (url === null || !/^https?:$/.test(url.protocol)) return <span>{children}</span>
  const show = () => setNear(true)
  const hide = () => setNear(false)
  return (
    <>
      <a
        ref={link}
        href={url.href}
        onClick={(event) => {
          event.preventDefault()
          void openOutside(url)
        }}
        onFocus={show}
        onBlur={hide}
        onPointerEnter={show}
        onPointerLeave={hide}
      >
        {children}
        <IconExternalLink size={14} stroke={1.75} aria-hidden="true" />
        <VisuallyHidden>{text.opensIn(url.host)}</VisuallyHidden>
      </a>
      {isNear && (
        <Tooltip
          opened
          target={link}
          label={url.href}
          multiline
          maw={480}
          style={{ overflowWrap: 'anywhere' }}
        />
      )}
    </>
  )
}

async function openOutside({ href, host }: URL): Promise<void> {
  const isOpened = await shellClient.shell.openExternal.mutate({ url: href }).then(
    ({ opened }) => opened,
    () => false,
  )
  if (!isOpened) notifications.show({ message: text.notOpened(host) })
}
