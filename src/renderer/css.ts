import 'react'

declare module 'react' {
  /** Custom properties may be set from components. */
  interface CSSProperties {
    [name: `--${string}`]: string | number | undefined
  }
}
