import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import { LeaveGuard } from '../components/dialog/leave-guard.tsx'
import { text } from './strings.ts'

type Note = (section: string, unsaved: boolean) => void

const Context = createContext<Note>(() => {})

/** Tells the guard around the screen whether this section holds what is not saved. */
export function useUnsaved(section: string, unsaved: boolean): void {
  const note = useContext(Context)
  useEffect(() => {
    note(section, unsaved)
    return () => note(section, false)
  }, [note, section, unsaved])
}

/** Asks before another screen is opened, or the window closes, while a section is not saved. */
export function UnsavedGuard({ children }: { readonly children: ReactNode }) {
  const sections = useRef(new Set<string>())
  const note = useRef<Note>((section, unsaved) => {
    if (unsaved) sections.current.add(section)
    else sections.current.delete(section)
  })
  return (
    <Context value={note.current}>
      {children}
      <LeaveGuard
        wouldLose={() => sections.current.size > 0}
        title={text.leaveTitle}
        action={text.discard}
      >
        {text.leave}
      </LeaveGuard>
    </Context>
  )
}
