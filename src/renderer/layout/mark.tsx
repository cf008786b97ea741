import { useId } from 'react'

/** The product's mark: a gate raised over the tide. The drawing is that of the smallest app icons. */
export function Mark() {
  const tile = useId()
  return (
    <svg width="24" height="24" viewBox="0 0 16 16" aria-hidden="true">
      <clipPath id={tile}>
        <rect width="16" height="16" rx="3.5" />
      </clipPath>
      <g clipPath={`url(#${tile})`}>
        <rect width="16" height="16" fill="#0f6066" />
        <path
          d="M3 13V3.5A1.5 1.5 0 0 1 4.5 2h7A1.5 1.5 0 0 1 13 3.5V13h-2V4H5v9z"
          fill="#ffffff"
        />
        <rect x="6" y="5" width="4" height="4" fill="#ffffff" />
        <path
          d="M0 12c1.3-1.35 2.7-1.35 4 0s2.7 1.35 4 0 2.7-1.35 4 0 2.7 1.35 4 0v4H0z"
          fill="#63cdc6"
        />
      </g>
    </svg>
  )
}
