import { type Icon, IconEqual, IconMinus, IconPencil, IconPlus } from '@tabler/icons-react'
import type { ChangeKind } from './changes.ts'
import classes from './compare.module.css'
import { KIND_WORDS } from './strings.ts'

const ICONS: Readonly<Record<ChangeKind, Icon>> = {
  added: IconPlus,
  removed: IconMinus,
  changed: IconPencil,
  same: IconEqual,
}

/** Says by an icon and a word whether something was added, removed, changed or left as it was. */
export function ChangeMark({ kind }: { readonly kind: ChangeKind }) {
  const Glyph = ICONS[kind]
  return (
    <span className={classes.mark} data-kind={kind}>
      <Glyph size={14} stroke={2} aria-hidden="true" />
      {KIND_WORDS[kind]}
    </span>
  )
}
