#!/usr/bin/env python3
"""Takes screenshots of a site's pages, wide and narrow, light and dark, to be looked at. Fails if a page is wider than the
screen, or if the browser complains of anything.

    tools/site/screenshots.py FOLDER OUTPUT [PAGE]...

Needs Debian's chromium, chromium-driver and python3-selenium.
"""
import base64
import pathlib
import sys

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

PAGES = ["index.html", "README.html", "docs/guides/cpp.html", "docs/performance.html", "reference/cpp.html", "reference/c.html",
         "reference/museum.html", "docs/reference/contract.html"]
WIDTHS = {1400: 1000, 400: 800}  # and the height that is seen at once


def main():
    root, output = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    pages = sys.argv[3:] or PAGES
    output.mkdir(parents=True, exist_ok=True)
    options = Options()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--allow-file-access-from-files"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    problems = []
    for page in pages:
        for width, height in WIDTHS.items():
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
            for scheme in ("light", "dark"):
                driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                    "features": [{"name": "prefers-color-scheme", "value": scheme}]})
                driver.get((root / page).as_uri())
                needed = driver.execute_script("return document.documentElement.scrollWidth")
                if needed > width:
                    problems.append(f"{page} at {width}: it is {needed} wide")
                problems += [f"{page}: {entry['message']}" for entry in driver.get_log("browser")]
                image = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
                name = f"{page.replace('/', '_').removesuffix('.html')}.{width}.{scheme}.png"
                (output / name).write_bytes(base64.b64decode(image))
    driver.quit()
    for problem in sorted(set(problems)):
        print(problem)
    print(f"{len(pages) * len(WIDTHS) * 2} screenshots in {output}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
