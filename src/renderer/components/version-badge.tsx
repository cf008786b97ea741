import classes from './version-badge.module.css'
import { versionHue } from './version-hue.ts'

/** A version in its colour. The text is always there; the colour only helps to find it again. */
export function VersionBadge({ version }: { readonly version: string }) {
  return (
    <span className={classes.badge} style={{ '--hue': versionHue(version) }} title={version}>
      <span className={classes.dot} aria-hidden="true" />
      <span className={classes.text}>{version}</span>
    </span>
  )
}
