import { Text } from '@mantine/core'
import { OTHER } from '../../shared/names.ts'
import classes from './version-badge.module.css'
import { versionHue } from './version-hue.ts'

/** A version in its colour. The text is always there; the colour only helps to find it again. */
export function VersionBadge({ version }: { readonly version: string }) {
  if (version === OTHER) {
    return (
      <Text
        span
        inherit
        c="dimmed"
        title="Unreleased versions beyond the limit are counted together"
      >
        Other
      </Text>
    )
  }
  return (
    <span className={classes.badge} style={{ '--hue': versionHue(version) }} title={version}>
      <span className={classes.dot} aria-hidden="true" />
      <span className={classes.text}>{version}</span>
    </span>
  )
}
