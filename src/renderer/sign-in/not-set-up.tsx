import { EntryPage } from './entry-page.tsx'
import { text } from './strings.ts'

/** Says how the first account is made. */
export function NotSetUp() {
  return <EntryPage title={text.notSetUp} hint={text.notSetUpHint} />
}
