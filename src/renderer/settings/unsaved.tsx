import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'

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
  // The desktop app hears the objection and asks: a page cannot show a dialog while it is closed.
  useBeforeUnload((event) => {
    if (sections.current.size > 0) event.preventDefault()
  })
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && sections.current.size > 0,
  )
  return (
    <Context value={note.current}>
      {children}
      <ConfirmDialog
        opened={blocker.state === 'blocked'}
        title="Leave without saving"
        action="Discard the changes"
        onConfirm={() => blocker.proceed?.()}
        onClose={() => blocker.reset?.()}
      >
        Some settings were changed and not saved. The server goes on with those that it has.
      </ConfirmDialog>
    </Context>
  )
}
