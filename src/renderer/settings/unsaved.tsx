import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import { LeaveGuard } from '../components/leave-guard.tsx'

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
        title="Leave without saving"
        action="Discard the changes"
      >
        Some settings were changed and not saved. The server goes on with those that it has.
      </LeaveGuard>
    </Context>
  )
}
