import { parseNotes } from './parse-notes.ts'

/** Parses the notes that it is sent. */
self.onmessage = ({ data }: MessageEvent<string>) => self.postMessage(parseNotes(data))
