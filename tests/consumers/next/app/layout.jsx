export const metadata = { title: "filepress", icons: "data:," };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
