import type { RootContent } from 'hast'
import { useEffect, useMemo, useState } from 'react'
import { parseNotes } from './parse-notes.ts'

/** Characters of notes that are parsed at once, within about ten milliseconds. */
const SHORT = 2_000

/** Returns parsed notes; undefined while a worker parses long ones, which can take half a second. */
export function useParsedNotes(markdown: string): readonly RootContent[] | undefined {
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
