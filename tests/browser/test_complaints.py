"""The net under all tests of the page: what the browser complains about is heard."""

from tools.scenes import Visit

COMPLAINTS = {
    "console.error('oh')": "error: oh",
    "console.warn('hm')": "warning: hm",
    "setTimeout(() => { throw new Error('thrown') })": "uncaught: thrown",
    "Promise.reject(new Error('rejected')); 0": "uncaught: rejected",
    "fetch('/api/tables/nowhere')": "404: http",
    "fetch('http://127.0.0.1:1/').catch(() => 0)": "error: Connecting to 'http://127.0.0.1:1/' violates",
    "document.body.setAttribute('style', 'color: red')": "error: Applying inline style violates",
    "document.body.append(Object.assign(document.createElement('script'), {text: '1'}))": "error: Executing inline",
}


def test_complaints_are_heard(visit: Visit, complaints: list[str]) -> None:
    page = visit("/privacy")
    assert complaints == []
    for script, complaint in COMPLAINTS.items():
        page.evaluate(script)
        page.wait_for_timeout(100)
        assert any(heard.startswith(complaint) for heard in complaints), complaint
    complaints.clear()
